"""What labels, sigs, notes and questions share: documents with offsets, sections, sentences, mentions, context."""
