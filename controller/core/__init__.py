"""The pure core: cards, shoe, money, inputs, facts, verdicts and the table's ``step``. No I/O, clock or chance."""
