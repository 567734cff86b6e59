"""The wiring of a table: configuration, record, engine, devices, supervision of the broker."""
