"""States of patients in which a label forbids its product, and allergies."""
