"""Rendered tables: decks, scenes and light, for training, measuring, tests and the simulated camera.

Everything here is drawn with OpenCV and numpy alone and follows from a seed; art of other decks comes in through
`vision.train.art`.
"""
