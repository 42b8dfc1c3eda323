"""Authorization headers of botocore for the requests on standard input, at a fixed time: the oracle of aws-signature.test.ts."""

import datetime
import json
import sys

import botocore.auth
import botocore.awsrequest
import botocore.credentials

requests = json.load(sys.stdin)


class Fixed(datetime.datetime):
    at = None

    @classmethod
    def utcnow(cls):
        return cls.at

    @classmethod
    def now(cls, tz=None):
        return cls.at


def fixed(*args, **kwargs):
    return Fixed.at


out = []
for one in requests:
    Fixed.at = datetime.datetime.fromtimestamp(one["at"] / 1000, datetime.timezone.utc).replace(tzinfo=None)
    # Its name differs between versions.
    if hasattr(botocore.auth, "get_current_datetime"):
        botocore.auth.get_current_datetime = fixed
    else:
        botocore.auth.datetime = type("module", (), {"datetime": Fixed})
    credentials = botocore.credentials.Credentials(one["key"], one["secret"], one["token"])
    request = botocore.awsrequest.AWSRequest(method=one["method"], url=one["url"], data=one["body"].encode(), headers=one["headers"])
    auth = botocore.auth.S3SigV4Auth(credentials, "s3", one["region"])
    auth.add_auth(request)
    out.append(request.headers["Authorization"])
json.dump(out, sys.stdout)
