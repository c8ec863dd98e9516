"""The whole job on demo data, through the real windows, each step compared with another process."""
