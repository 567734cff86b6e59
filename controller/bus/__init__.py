"""The table on MQTT: publication from the journal, commands, the historian, the embedded broker, the schemas.

``publisher`` is the table's voice, ``commands`` its ear, ``historian`` an independent archive, ``broker``
the default broker, ``keys`` makes signed commands, ``schema`` generates what outsiders rely on
(docs/mqtt.md, docs/events.md).
"""
