"""`parlour serve --processes N`: one parent, and N nodes on this machine that it keeps alive.

plan       what each node is called, where it listens, and how it is started
pauses     how long to wait before a node that has ended is started again
node       one node: its process, started again whenever it ends
figures    the figures of all nodes as one page for Prometheus
health     /healthz and /metrics for all of them
parent     from the settings to the end of the last node
"""
