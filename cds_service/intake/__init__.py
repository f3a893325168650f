"""From request body to prescription: acquire, read FHIR, identify, profile."""
