/** Pages whose scripts do harm to the browser that renders them, by the harm. Each starts with a text, which the server sent. */
import type { RenderTrouble } from '../../src/base/core/rendering.ts';

export interface HostilePage {
  readonly body: string;
  /** How its rendering ends: with one of these, or settled (null). */
  readonly ends: readonly (RenderTrouble | null)[];
}

/** Text of each page, as the server sends it. */
export const HOSTILE_TEXT = 'This text is of the server.';
const HUNG = ['render-hung'] as const;
/** The browser says that the page crashed, or we that it has grown, whichever is first. */
const GROWN = ['render-memory', 'render-crash'] as const;
const SETTLED = [null] as const;
const LEFT = ['render-left'] as const;
const RESTLESS = ['render-unsettled'] as const;

function of(script: string, ends: HostilePage['ends'], rest = ''): HostilePage {
  return { body: `<p>${HOSTILE_TEXT}</p>${rest}<script>${script}</script>`, ends };
}

export const HOSTILE_PAGES: Readonly<Record<string, HostilePage>> = {
  // Loops.
  'endless loop': of('while (true);', HUNG),
  'endless loop after load': of('onload = () => { while (true); }', HUNG),
  'endless loop in a timer': of('setTimeout(() => { while (true); }, 700)', HUNG),
  'endless loop while it scrolls': of("addEventListener('scroll', () => { while (true); })", HUNG, '<div style="height:9000px"></div>'),
  'endless microtasks': of('const next = () => Promise.resolve().then(next); next()', [...HUNG, 'render-crash']),
  'endless tasks': of('const next = () => setTimeout(next, 0); next()', [null, 'render-unsettled']),
  'endless messages': of(
    'const { port1, port2 } = new MessageChannel(); port1.onmessage = () => port2.postMessage(1); port2.postMessage(1)',
    [null, 'render-unsettled', 'render-hung'],
  ),
  'endless recursion': of('const again = () => again(); again()', SETTLED),
  'slow pattern': of("/^(a+)+$/.test('a'.repeat(40) + 'b')", HUNG),
  'busy frames': of(
    'const next = () => { requestAnimationFrame(next); for (const end = performance.now() + 5; performance.now() < end; ); }; next()',
    [...HUNG, null, 'render-unsettled'],
  ),
  // Dialogs and what waits for a person.
  alerts: of("for (let i = 0; i < 300; i++) alert('x'); setInterval(() => alert('x'), 10)", [null, 'render-hung', 'render-unsettled']),
  'endless alerts': of("while (true) alert('x')", HUNG),
  questions: of("document.body.append(String(confirm('x')) + prompt('y', 'z'))", SETTLED),
  'asks before it is left': of("onbeforeunload = (event) => { event.preventDefault(); return 'stay' }", SETTLED),
  prints: of('for (let i = 0; i < 50; i++) print(); onload = () => document.execCommand("print")', SETTLED),
  'stops for a debugger': of('for (let i = 0; i < 20; i++) { debugger; }', SETTLED),
  'asks for permissions': of(
    'Notification.requestPermission(); navigator.geolocation.getCurrentPosition(() => 0); navigator.mediaDevices?.getUserMedia({ video: true }); document.documentElement.requestFullscreen()',
    SETTLED,
  ),
  // Memory.
  'a heap of 1 GB': of('const all = []; for (let i = 0; i < 1e9; i++) all.push({ i, text: String(i) })', [...GROWN, ...HUNG]),
  'buffers of 1 GB and more': of('const all = []; setInterval(() => all.push(new Uint8Array(1e8).fill(1)), 10)', GROWN),
  'a text of 1 GB': of("let text = 'x'; while (text.length < 5e8) text += text; document.body.append(text)", [
    null,
    ...GROWN,
    ...HUNG,
    ...RESTLESS,
  ]),
  'a huge canvas': of(
    "for (let i = 0; i < 50; i++) { const c = document.createElement('canvas'); c.width = c.height = 16384; c.getContext('2d').fillRect(0, 0, 16384, 16384); document.body.append(c) }",
    [null, ...GROWN, ...HUNG],
  ),
  'endless elements': of("setInterval(() => { for (let i = 0; i < 10000; i++) document.body.append(document.createElement('b')) }, 10)", [
    ...GROWN,
    ...HUNG,
    ...RESTLESS,
  ]),
  'deep elements': of("let at = document.body; for (let i = 0; i < 100000; i++) at = at.appendChild(document.createElement('div'))", [
    null,
    ...GROWN,
    ...HUNG,
  ]),
  'endless text': of("setInterval(() => document.body.append('more '.repeat(1000)), 50)", RESTLESS),
  'endless document.write': of("for (;;) document.write('<p>more</p>')", [...HUNG, ...GROWN]),
  'a clone bomb': of('for (let i = 0; i < 40; i++) document.body.append(document.body.cloneNode(true))', [...HUNG, ...GROWN]),
  // Requests.
  'endless requests': of("let n = 0; const next = () => fetch('/data.json?' + n++).then(next, next); next()", [null, ...RESTLESS, ...HUNG]),
  'endless requests at once': of("setInterval(() => { for (let i = 0; i < 100; i++) fetch('/data.json?' + Math.random()) }, 10)", [
    null,
    ...RESTLESS,
    ...HUNG,
  ]),
  'a request without an answer': of("fetch('/silent')", RESTLESS),
  'a script without an answer': of('', RESTLESS, '<script src="/silent"></script>'),
  'synchronous requests': of(
    "for (let i = 0; i < 200; i++) { const x = new XMLHttpRequest(); x.open('GET', '/data.json?' + i, false); try { x.send() } catch {} }",
    SETTLED,
  ),
  'a synchronous request without an answer': of("const x = new XMLHttpRequest(); x.open('GET', '/silent', false); x.send()", [
    ...HUNG,
    ...RESTLESS,
  ]),
  'sockets and streams': of("for (let i = 0; i < 500; i++) { new WebSocket('ws://a.example/' + i); new EventSource('/events' + i) }", [
    null,
    ...RESTLESS,
  ]),
  // Windows, workers, downloads.
  windows: of("for (let i = 0; i < 500; i++) window.open('/page?' + i, '_blank')", SETTLED),
  'windows by links': of(
    "for (let i = 0; i < 100; i++) { const a = document.createElement('a'); a.href = '/page?' + i; a.target = '_blank'; document.body.append(a); a.click() }",
    [null, ...LEFT, ...HUNG],
  ),
  'a window by a link': of(
    "const a = document.createElement('a'); a.href = '/page?'; a.target = '_blank'; document.body.append(a); a.click()",
    SETTLED,
  ),
  'windows of frames': of(
    "const f = document.createElement('iframe'); document.body.append(f); for (let i = 0; i < 200; i++) f.contentWindow.open('/page?' + i)",
    [null, ...LEFT],
  ),
  workers: of("for (let i = 0; i < 200; i++) try { new Worker(URL.createObjectURL(new Blob(['while (true);']))) } catch {}", SETTLED),
  'workers of frames': of(
    "for (let i = 0; i < 50; i++) { const f = document.createElement('iframe'); document.body.append(f); try { new f.contentWindow.Worker(URL.createObjectURL(new Blob(['while (true);']))) } catch {} }",
    SETTLED,
  ),
  'frames in frames': of(
    "const f = document.createElement('iframe'); f.srcdoc = document.documentElement.outerHTML; document.body.append(f)",
    [null, ...RESTLESS, ...HUNG],
  ),
  'a download': of(
    "const a = document.createElement('a'); a.href = URL.createObjectURL(new Blob(['x'.repeat(1e6)])); a.download = 'file.txt'; document.body.append(a); for (let i = 0; i < 50; i++) a.click()",
    [null, ...LEFT],
  ),
  // Elsewhere.
  'leads elsewhere': of("location = '/elsewhere'", LEFT),
  'leads elsewhere without end': of("setInterval(() => { location = '/elsewhere?' + Math.random() }, 1)", LEFT),
  'leads to another scheme': of(
    "location = 'mailto:a@b.example'; location = 'intent://x'; location = 'chrome://crash'; location = 'file:///etc/passwd'",
    [null, ...LEFT],
  ),
  'leads to itself': of('location.reload()', LEFT),
  'refreshes itself': of('', LEFT, '<meta http-equiv="refresh" content="0;url=/elsewhere">'),
  'sends a form': of('document.forms[0].submit()', LEFT, '<form action="/form" method="post"><input name="a"></form>'),
  'goes back': of(
    'for (let i = 0; i < 100; i++) { history.pushState({}, "", "/page?" + i) } history.back(); history.go(-50); history.go(100)',
    [null, ...LEFT],
  ),
  'changes its address without end': of('let n = 0; setInterval(() => history.replaceState({}, "", "/page?" + n++), 1)', [
    null,
    ...RESTLESS,
  ]),
  'replaces its document': of("document.open(); document.write('<p>other</p>')", [null, ...RESTLESS, ...LEFT]),
  'a frame that leads the page elsewhere': of(
    "const f = document.createElement('iframe'); f.srcdoc = \"<script>top.location = '/elsewhere'<\\/script>\"; document.body.append(f)",
    [null, ...LEFT],
  ),
  'removes its root': of('document.documentElement.remove()', [null, ...RESTLESS, ...LEFT]),
  // What the room asks for is replaced.
  'false functions': of(
    "document.getElementsByTagName = () => { throw 1 }; Object.defineProperty(document, 'body', { get() { while (true); } }); scrollTo = requestAnimationFrame = () => { while (true); }; Object.prototype.toJSON = () => { while (true); }",
    [null],
  ),
};
