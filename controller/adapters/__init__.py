"""Adapters: the one place where device messages become the table's inputs. Pure, one module a device kind."""
