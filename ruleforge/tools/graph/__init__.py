"""Diagrams of rules: phases, triggers, keywords, components, counters; as Mermaid or SVG."""
