"""What people play with: a model of their visit, menus and choices without a screen, and the full screen."""
