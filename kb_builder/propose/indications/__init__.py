"""What a label says its product is for, and what it says it is not for."""
