"""`tablewatch demo`: a whole simulated table, watched while it is dealt."""
