# What the merchants of tests share: they serve on any free port and print it.
import asyncio

import uvicorn


async def _serving(app):
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="warning"))
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.05)
    print(f"port {server.servers[0].sockets[0].getsockname()[1]}", flush=True)
    await serving


def serve(app):
    asyncio.run(_serving(app))
