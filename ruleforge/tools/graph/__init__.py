"""Rules -> diagrams of them: phases, triggers, keywords, components, counters; as Mermaid or SVG."""
