"""Card readers whose wires are public: barcode and optical swipe readers, PN532 modules, RDM6300 and ID-12 readers.

One driver is one reader, and a reader has one position. Bytes and options: docs/devices.md.
"""
