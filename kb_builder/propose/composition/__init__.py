"""What a product holds beside its active substances, and the enzyme roles of its ingredient."""
