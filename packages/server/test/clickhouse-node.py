"""Runs ClickHouse's engine (the library chdb) as a server: python3 clickhouse-node.py <library> <config> <folder>

Its own listeners for HTTP and TCP take part in a cluster: servers ask each other, and insert into each other's tables. It
has no interserver port and no queue of statements, so it neither replicates nor knows ON CLUSTER.
"""
import ctypes
import sys

library, config, folder = sys.argv[1:]
engine = ctypes.CDLL(library)
engine.chdb_query_cmdline.restype = ctypes.c_void_p
engine.chdb_result_error.restype = ctypes.c_char_p
engine.chdb_result_error.argtypes = [ctypes.c_void_p]
statements = """
  SYSTEM START LISTEN TCP; SYSTEM START LISTEN HTTP;
  SELECT sleepEachRow(1) FROM numbers(100000) FORMAT Null
  SETTINGS max_block_size = 1, function_sleep_max_microseconds_per_block = 3000000000"""
arguments = ["clickhouse", f"--config-file={config}", f"--path={folder}", "--query", statements]
array = (ctypes.c_char_p * len(arguments))(*[argument.encode() for argument in arguments])
result = engine.chdb_query_cmdline(len(arguments), array)
sys.exit((engine.chdb_result_error(result) or b"").decode())
