"""Drives the clients that are Python packages: `python python_driver.py KIND URL`.

What is in AUTHORIZATION, if anything, is sent as that header.
"""

import asyncio
import json
import os
import sys
from pathlib import Path

KIND, URL = sys.argv[1:3]
HEADERS = {"authorization": os.environ["AUTHORIZATION"]} if "AUTHORIZATION" in os.environ else {}


class Person:
    """What the person does who is asked."""

    answer = "decline"
    until = None


def say(what):
    print(json.dumps(what, separators=(",", ":")), flush=True)


async def elicited(message, result):
    say({"asked": message})
    answer, until = Person.answer, Person.until
    while until and not Path(until).exists():
        await asyncio.sleep(0.05)
    return result(action=answer, content={"approve": True} if answer == "accept" else None)


def sdk(mode):
    """The client of the official SDK."""
    from mcp import Client
    from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client
    from mcp.types import ElicitResult

    async def handler(context, params):
        return await elicited(params.message, ElicitResult)

    transport = streamable_http_client(URL, http_client=create_mcp_http_client(headers=HEADERS))
    return Client(transport, mode=mode, elicitation_callback=handler)


def fast():
    """FastMCP's client."""
    from fastmcp import Client
    from fastmcp.client.elicitation import ElicitResult
    from fastmcp.client.transports import StreamableHttpTransport

    async def handler(message, response_type, params, context):
        return await elicited(message, ElicitResult)

    return Client(StreamableHttpTransport(URL, headers=HEADERS), elicitation_handler=handler)


KINDS = {
    "python-legacy": lambda: sdk("legacy"),
    "python-auto": lambda: sdk("auto"),
    "python-pinned": lambda: sdk("2026-07-28"),
    "fastmcp": fast,
}


async def obeyed(client, order):
    if order["do"] == "list":
        listed = await client.list_tools()
        return [tool.name for tool in getattr(listed, "tools", listed)]
    Person.answer, Person.until = order["answer"], order.get("until")
    arguments = {"code": order["code"]}
    # FastMCP raises what the SDK gives back, unless it is told not to.
    quiet = {"raise_on_error": False} if KIND == "fastmcp" else {}
    result = await client.call_tool("execute", arguments, **quiet)
    return {"isError": bool(result.is_error), "text": result.content[0].text}


async def order():
    return await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)


async def main():
    # The first order, which is to connect.
    await order()
    try:
        async with KINDS[KIND]() as client:
            say({"said": client.protocol_version})
            while line := await order():
                try:
                    say({"said": await obeyed(client, json.loads(line))})
                except Exception as error:
                    say({"failed": repr(error)})
    except Exception as error:
        say({"failed": repr(error)})


asyncio.run(main())
