"""Drives the clients that are Python packages: `python python_driver.py KIND URL`."""

import asyncio
import json
import sys

KIND, URL = sys.argv[1:3]


class Person:
    """What the person does who is asked."""

    answer = "accept"


async def elicited(result):
    if Person.answer == "late":
        await asyncio.sleep(4.5)
    if Person.answer in ("accept", "late"):
        return result("accept", {"approve": True})
    return result(Person.answer, None)


def sdk():
    from mcp import Client
    from mcp.types import ElicitResult

    async def handler(context, params):
        return await elicited(lambda action, content: ElicitResult(action=action, content=content))

    return Client(URL, mode=KIND.removeprefix("python-"), elicitation_callback=handler)


def fast():
    from fastmcp import Client
    from fastmcp.client.elicitation import ElicitResult

    async def handler(message, response_type, params, context):
        return await elicited(lambda action, content: ElicitResult(action=action, content=content))

    return Client(URL, elicitation_handler=handler)


async def done(client, order):
    if order["do"] == "list":
        listed = await client.list_tools()
        return [tool.name for tool in getattr(listed, "tools", listed)]
    Person.answer = order.get("answer", "accept")
    arguments = {"code": order["code"]}
    if KIND == "fastmcp":
        result = await client.call_tool("execute", arguments, raise_on_error=False)
    else:
        result = await client.call_tool("execute", arguments)
    return {"isError": bool(result.is_error), "text": result.content[0].text}


def say(what):
    print(json.dumps(what, separators=(",", ":")), flush=True)


async def main():
    loop = asyncio.get_running_loop()
    await loop.run_in_executor(None, sys.stdin.readline)
    async with fast() if KIND == "fastmcp" else sdk() as client:
        say({"said": "connected"})
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            try:
                say({"said": await done(client, json.loads(line))})
            except BaseException as error:  # noqa: BLE001
                say({"failed": repr(error)})


asyncio.run(main())
