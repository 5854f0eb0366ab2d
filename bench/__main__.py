"""`make bench`: prints every speed figure that the project cares about."""

from bench import playouts

if __name__ == "__main__":
    playouts.main()
