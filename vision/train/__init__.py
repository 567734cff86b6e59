"""Training: decks from the registries, scenes rendered from them, two small networks fitted, weights written.

Needs the extra `tablewatch[train]`; nothing that reads cards imports from here.
"""
