"""The core of Troupe: who speaks, why, and what is written down. Knows no platform, no SQL, no clock."""
