"""Run a command and print as JSON what it and its children took: CPU seconds, wall seconds, peak memory of the largest process in MB."""
import json
import resource
import subprocess
import sys
import time

started = time.monotonic()
with open(sys.argv[1], "wb") as said:
    code = subprocess.run(sys.argv[2:], stdin=subprocess.DEVNULL, stdout=said, stderr=said, check=False).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(
    json.dumps(
        {
            "code": code,
            "cpuSeconds": used.ru_utime + used.ru_stime,
            "wallSeconds": time.monotonic() - started,
            "maxRssMb": used.ru_maxrss / 1024,
        }
    )
)
