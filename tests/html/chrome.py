"""chrome.py: headless Chromium, driven over its DevTools protocol.

    with Chrome() as chrome:
        page = chrome.page(width=1280, height=800, dark=False, script=True)
        page.go("file:///...")
        page.run("document.title")     # an expression's value
        page.key("Tab")
        page.requests, page.complaints # what was asked for, what the console said

Needs Debian's chromium and python3-websocket.
"""
import base64
import json
import os
import re
import shutil
import subprocess
import tempfile
import time

import websocket

KEYS = {"Tab": 9, "Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38,
        "ArrowRight": 39, "/": 191, " ": 32, "End": 35}


class Chrome:
    def __init__(self):
        self.folder = tempfile.mkdtemp()
        command = ["chromium", "--headless=new", "--remote-debugging-port=0",
                   "--user-data-dir=" + self.folder, "--no-first-run",
                   "--disable-gpu", "--hide-scrollbars", "--disable-extensions",
                   "--disable-background-networking", "--disable-sync",
                   "--remote-allow-origins=*", "--mute-audio", "about:blank"]
        if os.getuid() == 0:
            command.insert(1, "--no-sandbox")
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE,
                                        stdout=subprocess.DEVNULL, text=True)
        for line in self.process.stderr:
            found = re.search(r"DevTools listening on (ws://\S+)", line)
            if found:
                break
        else:
            raise RuntimeError("chromium did not start")
        self.drain = subprocess.Popen(["cat"], stdin=self.process.stderr,
                                      stdout=subprocess.DEVNULL)
        self.socket = websocket.create_connection(found.group(1), timeout=60)
        self.number = 0
        self.pages = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()
        self.process.terminate()
        self.process.wait()
        self.drain.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def call(self, method, session=None, **params):
        self.number += 1
        number = self.number
        message = {"id": number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        self.socket.send(json.dumps(message))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.event(answer)

    def event(self, message):
        page = self.pages.get(message.get("sessionId"))
        if page:
            page.event(message["method"], message["params"])

    def pump(self, seconds):
        """Takes events for a while."""
        end = time.time() + seconds
        while time.time() < end:
            self.socket.settimeout(max(0.01, end - time.time()))
            try:
                self.event(json.loads(self.socket.recv()))
            except websocket.WebSocketTimeoutException:
                pass
        self.socket.settimeout(60)

    def page(self, **options):
        return Page(self, **options)


class Page:
    def __init__(self, chrome, width=1280, height=800, dark=False, script=True):
        self.chrome = chrome
        context = chrome.call("Target.createBrowserContext")["browserContextId"]
        target = chrome.call("Target.createTarget", url="about:blank",
                             browserContextId=context)["targetId"]
        self.session = chrome.call("Target.attachToTarget", targetId=target,
                                   flatten=True)["sessionId"]
        self.target = target
        chrome.pages[self.session] = self
        self.requests, self.complaints, self.loaded = [], [], False
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")
        self.size(width, height)
        self.colours(dark)
        if not script:
            self.call("Emulation.setScriptExecutionDisabled", value=True)

    def call(self, method, **params):
        return self.chrome.call(method, self.session, **params)

    def event(self, method, params):
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Runtime.consoleAPICalled":
            self.complaints.append(str(params["args"]))
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(str(params["exceptionDetails"].get("exception",
                                   params["exceptionDetails"])))
        elif method == "Log.entryAdded":
            self.complaints.append(params["entry"]["text"])

    def size(self, width, height=800):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=width < 500)

    def colours(self, dark):
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def go(self, url):
        self.loaded = False
        answer = self.call("Page.navigate", url=url)
        if answer.get("errorText"):
            raise RuntimeError(f"{url}: {answer['errorText']}")
        self.wait_load()

    def wait_load(self):
        end = time.time() + 60
        while not self.loaded:
            if time.time() > end:
                raise RuntimeError("the page did not load")
            self.chrome.event(json.loads(self.chrome.socket.recv()))

    def run(self, expression):
        result = self.call("Runtime.evaluate", expression=expression,
                           returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(str(result["exceptionDetails"].get("exception")))
        return result["result"].get("value")

    def until(self, expression, seconds=10):
        """Waits until an expression is true; gives its last value."""
        end = time.time() + seconds
        while True:
            value = self.run(expression)
            if value or time.time() > end:
                return value
            self.chrome.pump(0.05)

    def key(self, name, shift=False):
        text = name if len(name) == 1 else "\r" if name == "Enter" else None
        params = {"key": name, "modifiers": 8 if shift else 0,
                  "windowsVirtualKeyCode": KEYS.get(name, ord(name[0].upper())),
                  "code": name if len(name) > 1 else ""}
        down = dict(params, type="keyDown" if text else "rawKeyDown")
        if text:
            down["text"] = text
        self.call("Input.dispatchKeyEvent", **down)
        self.call("Input.dispatchKeyEvent", **dict(params, type="keyUp"))

    def type(self, text):
        for letter in text:
            self.key(letter)

    def click(self, selector):
        """Clicks where the reader would: at the middle of what is seen."""
        spot = self.run(f"""(() => {{
          const el = document.querySelector({json.dumps(selector)});
          el.scrollIntoView({{block: 'center'}});
          const r = el.getClientRects()[0];
          return [r.left + r.width / 2, r.top + r.height / 2]; }})()""")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=spot[0], y=spot[1],
                      button="left", clickCount=1)

    def hover(self, selector):
        spot = self.run(f"""(() => {{
          const el = document.querySelector({json.dumps(selector)});
          el.scrollIntoView({{block: 'center'}});
          const r = el.getClientRects()[0];
          return [r.left + 8, r.top + r.height / 2]; }})()""")
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=spot[0], y=spot[1])

    def picture(self, path, whole=False, clip=None):
        params = {"format": "png"}
        if whole:
            params["captureBeyondViewport"] = True
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            params["clip"] = {"x": 0, "y": 0, "width": size["width"],
                              "height": min(size["height"], 6000), "scale": 1}
        if clip:
            params["captureBeyondViewport"] = True
            params["clip"] = dict(clip, scale=1)
        data = self.call("Page.captureScreenshot", **params)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        self.chrome.pages.pop(self.session, None)
        self.chrome.call("Target.closeTarget", targetId=self.target)
