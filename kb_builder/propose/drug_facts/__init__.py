"""What over-the-counter labels ask of the consumer: who must not use the product, who asks first, what it is not taken with."""
