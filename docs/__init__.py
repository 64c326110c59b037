"""The documentation: guides in Markdown, and `python -m docs`, which builds the site."""
