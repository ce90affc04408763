"""OpenStack Swift with its S3 interface in one process, for tests: serve.py FOLDER PORT KEY SECRET

The proxy listens on PORT (0: any), the account, container and object servers on other ports, all on loopback, with one
copy of everything below FOLDER. Needs Debian's swift-proxy, swift-account, swift-container and
swift-object. Prints "ready <port>" once it answers.
"""

import os
import sys

import eventlet
from eventlet import wsgi
from swift.common import utils

utils.eventlet_monkey_patch()

from swift.common.ring import RingBuilder
from swift.common.storage_policy import reload_storage_policies
from swift.common.wsgi import SwiftHttpProtocol, loadapp

COMMON = """
[DEFAULT]
swift_dir = {folder}
devices = {folder}/disk
mount_check = false
fallocate_reserve = 0
log_level = ERROR
"""

STORAGE = """
[pipeline:main]
pipeline = {name}-server

[app:{name}-server]
use = egg:swift#{name}
"""

# tempauth wants a cache to be there, not to work: nothing listens on its port.
PROXY = """
[pipeline:main]
pipeline = catch_errors gatekeeper cache listing_formats bulk s3api tempauth copy slo dlo versioned_writes symlink proxy-server

[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
# One copy: what failed once must be asked again.
error_suppression_interval = 0
# Devices in a browser read what the address of a file leads to.
cors_allow_origin = *

[filter:s3api]
use = egg:swift#s3api
location = us-east-1
cors_preflight_allow_origin = *

[filter:tempauth]
use = egg:swift#tempauth
user_{account}_{user} = {secret} .admin

[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
""" + "".join(
    f"\n[filter:{name}]\nuse = egg:swift#{name}\n"
    for name in "catch_errors gatekeeper listing_formats bulk copy slo dlo versioned_writes symlink".split()
)


def write_ring(folder, name, port):
    builder = RingBuilder(1, 1, 1)
    builder.add_dev(
        {"id": 0, "region": 1, "zone": 1, "weight": 1.0, "device": "d", "meta": ""}
        | {"ip": "127.0.0.1", "port": port, "replication_ip": "127.0.0.1", "replication_port": port}
    )
    builder.rebalance()
    builder.get_ring().save(os.path.join(folder, f"{name}.ring.gz"))


def write_conf(folder, name, text):
    path = os.path.join(folder, f"{name}.conf")
    with open(path, "w") as file:
        file.write(COMMON.format(folder=folder) + text)
    return path


def serve(conf, socket):
    app = loadapp(conf, global_conf={"log_name": os.path.basename(conf)})
    # The SDK needs "ETag", not "Etag".
    options = {"protocol": SwiftHttpProtocol, "capitalize_response_headers": False}
    eventlet.spawn(wsgi.server, socket, app, utils.NullLogger(), **options)


def listen(port):
    return eventlet.listen(("127.0.0.1", port))


def main(folder, port, key, secret):
    utils.HASH_PATH_SUFFIX = b"tests"
    reload_storage_policies()
    os.makedirs(os.path.join(folder, "disk", "d"), exist_ok=True)
    account, user = key.split(":")
    sockets = {name: listen(0) for name in ["account", "container", "object"]}
    for name, socket in sockets.items():
        write_ring(folder, name, socket.getsockname()[1])
    for name, socket in sockets.items():
        serve(write_conf(folder, name, STORAGE.format(name=name)), socket)
    proxy = listen(port)
    serve(write_conf(folder, "proxy", PROXY.format(account=account, user=user, secret=secret)), proxy)
    print("ready", proxy.getsockname()[1], flush=True)
    # Whoever started it holds the other end: it ends with them, however they end.
    eventlet.hubs.trampoline(sys.stdin.fileno(), read=True)


main(sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4])
