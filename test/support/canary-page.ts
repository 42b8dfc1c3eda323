/** A page that tries every way out of a browser there is. Each way leads to a canary, by a path with its name. */

/** Ways in HTML. `HERE`, `ALSO`, `SIX`, `NAME`: canaries by two IPv4 addresses, IPv6 and `localhost`; `PAGE`: the page's own origin. */
const IN_HTML: Readonly<Record<string, string>> = {
  manifest: '<link rel=manifest href="http://HERE/manifest">',
  icon: '<link rel=icon href="http://HERE/icon">',
  preconnect: '<link rel=preconnect href="http://ALSO"><link rel=preconnect href="http://NAME" crossorigin>',
  lookup: '<link rel=dns-prefetch href="//canary.example"><link rel=dns-prefetch href="//localhost">',
  prefetch: '<link rel=prefetch href="http://HERE/prefetch"><link rel=prerender href="http://HERE/prerender">',
  preload: '<link rel=preload as=script href="http://HERE/preload"><link rel=modulepreload href="http://HERE/modulepreload">',
  rules: `<script type=speculationrules>{"prerender":[{"source":"list","urls":["PAGE/spoken","http://HERE/rules-prerender"],"eagerness":"immediate"}],
"prefetch":[{"source":"list","urls":["http://HERE/rules-prefetch"],"eagerness":"immediate"}]}</script>`,
  style:
    '<link rel=stylesheet href="http://HERE/style"><style>@import url(http://HERE/import);body{background:url(http://HERE/background)}</style>',
  font: '<style>@font-face{font-family:own;src:url(http://HERE/font)}p{font-family:own}</style><p>text</p>',
  images:
    '<img src="http://HERE/image"><img srcset="http://SIX/srcset 2x"><svg><use href="http://HERE/use#a"/><image href="http://HERE/svg"/></svg>',
  media: '<video src="http://HERE/video" autoplay poster="http://HERE/poster"></video><audio src="http://HERE/audio" autoplay></audio>',
  frames: '<iframe src="http://HERE/frame"></iframe><iframe src="http://ALSO/frame"></iframe><iframe name=target></iframe>',
  inner: `<iframe srcdoc="<script>fetch('http://HERE/srcdoc');new WebSocket('ws://HERE/srcdoc-socket')</script>"></iframe>`,
  files:
    '<iframe src="file:///etc/hostname"></iframe><iframe src="chrome://version"></iframe><iframe src="view-source:http://HERE/source"></iframe>',
  objects: '<object data="http://HERE/object"></object><embed src="http://HERE/embed">',
  ping: '<a id=ping href="#here" ping="http://HERE/ping">ping</a>',
  forms: `<form id=get action="http://HERE/form-get" target=target><input name=a value=b></form>
<form id=post method=post action="http://HERE/form-post" target=target><input name=a value=b></form>`,
};

const WORKER =
  "fetch('http://HERE/KIND');try{new WebSocket('ws://HERE/KIND-socket')}catch{};try{importScripts('http://HERE/KIND-import')}catch{}";
const worker = (kind: string) => `URL.createObjectURL(new Blob([${JSON.stringify(WORKER.replaceAll('KIND', kind))}]))`;
const SERVERS =
  "{urls:['stun:HERE','stun:ALSO','stun:NAME']},{urls:['turn:HERE?transport=tcp','turn:HERE?transport=udp','turns:ALSO?transport=tcp'],username:'u',credential:'c'}";

/** Ways of scripts, each a statement or an expression that may give a promise. */
const IN_SCRIPTS: Readonly<Record<string, string>> = {
  fetch: "fetch('http://HERE/fetch');fetch('http://NAME/fetch');fetch('http://SIX/fetch');fetch('PAGE/redirect')",
  keepalive: "fetch('http://HERE/keepalive',{keepalive:true,method:'POST',body:'x'})",
  later: "window.fetchLater&&fetchLater('http://HERE/later',{activateAfter:0})",
  beacon: "navigator.sendBeacon('http://HERE/beacon','x')",
  xhr: "const x=new XMLHttpRequest();x.open('GET','http://HERE/xhr');x.send()",
  synchronous: "const x=new XMLHttpRequest();x.open('GET','http://HERE/xhr-sync',false);x.send()",
  sockets:
    "new WebSocket('ws://HERE/socket');new WebSocket('ws://SIX/socket');new WebSocket('wss://ALSO/socket');new WebSocket('ws://NAME/socket')",
  streams: "window.WebSocketStream&&new WebSocketStream('ws://HERE/socket-stream')",
  events: "new EventSource('http://HERE/events')",
  transport:
    "for(const to of['HERE','NAME']){const t=new WebTransport('https://'+to+'/transport');t.ready.catch(()=>{});t.closed.catch(()=>{})}",
  calls: `const a=new RTCPeerConnection({iceServers:[${SERVERS}]});a.createDataChannel('x');await a.setLocalDescription(await a.createOffer());
const b=new RTCPeerConnection();await b.setRemoteDescription(a.localDescription);await b.setLocalDescription(await b.createAnswer());await a.setRemoteDescription(b.localDescription);
for(const kind of['udp 2122260223 127.0.0.1 PORT typ host','tcp 2122260223 127.0.0.1 PORT typ host tcptype passive'])await a.addIceCandidate({candidate:'candidate:1 1 '+kind,sdpMid:'0',sdpMLineIndex:0})`,
  frameCalls: `const w=document.querySelector('iframe[name=target]').contentWindow;const a=new w.RTCPeerConnection({iceServers:[${SERVERS}]});a.createDataChannel('x');await a.setLocalDescription(await a.createOffer())`,
  freshCalls: `const i=document.createElement('iframe');document.body.append(i);const a=new i.contentWindow.RTCPeerConnection({iceServers:[${SERVERS}]});a.createDataChannel('x');await a.setLocalDescription(await a.createOffer())`,
  worker: `new Worker(${worker('worker')})`,
  frameWorker: `const i=document.createElement('iframe');document.body.append(i);new i.contentWindow.Worker(${worker('frame-worker')})`,
  module: "new Worker('PAGE/worker.js',{type:'module'})",
  shared: `new SharedWorker(${worker('shared')});new SharedWorker('PAGE/worker.js')`,
  service: "await navigator.serviceWorker.register('PAGE/worker.js')",
  import: "import('http://HERE/import-module')",
  popups: "window.open('http://HERE/popup');window.open('PAGE/spoken');window.open('http://HERE/popup-alone','_blank','noopener')",
  click: "document.getElementById('ping').click()",
  submit: "document.getElementById('get').submit();document.getElementById('post').submit()",
  file: "fetch('file:///etc/hostname');import('file:///etc/hostname')",
  worklets:
    "CSS.paintWorklet&&CSS.paintWorklet.addModule('http://HERE/worklet');new AudioContext().audioWorklet.addModule('http://HERE/audio-worklet')",
  // It leads elsewhere, since the name of the file counts for an own URL only.
  download:
    "setTimeout(()=>{const a=document.createElement('a');a.href='http://HERE/download';a.download='x';document.body.append(a);a.click()},3000)",
  identity: "navigator.credentials.get({identity:{providers:[{configURL:'http://HERE/identity',clientId:'x'}]}})",
  payment:
    "new PaymentRequest([{supportedMethods:'http://HERE/payment'}],{total:{label:'x',amount:{currency:'USD',value:'1'}}}).canMakePayment()",
  refresh:
    "setTimeout(()=>{const m=document.createElement('meta');m.httpEquiv='refresh';m.content='0;url=http://HERE/refresh';document.head.append(m)},2500)",
  leave: "setTimeout(()=>{location='http://HERE/location'},3500)",
};

/** Header fields that ask a browser to act by itself. */
const FIELDS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  Link: '<http://ALSO>; rel=preconnect, <http://HERE/linked>; rel=preload; as=script',
  'Content-Security-Policy-Report-Only': "default-src 'self'; report-uri http://HERE/policy-report",
  'Report-To': '{"group":"default","max_age":100,"endpoints":[{"url":"http://HERE/report"}]}',
  'Reporting-Endpoints': 'default="http://HERE/reporting"',
  NEL: '{"report_to":"default","max_age":100,"success_fraction":1}',
  'Supports-Loading-Mode': 'credentialed-prerender',
};

export interface CanaryPage {
  readonly origin: string;
  readonly html: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Further answers of its origin, by path: body, and type. */
  readonly files: Readonly<Record<string, readonly [body: string, type: string]>>;
}

export const CANARY_WAYS: readonly string[] = [...Object.keys(IN_HTML), ...Object.keys(IN_SCRIPTS)];

/** @param port of the canaries. @param origin of the page: pages of secure origins may do more, those of plain ones may ask more */
export function canaryPage(port: number, origin: string): CanaryPage {
  const led = (text: string) => lead(text, port, origin);
  const scripts = Object.values(IN_SCRIPTS).map((script) => `(async()=>{${script}})().catch(()=>{});`);
  const html = `<!doctype html><title>canary</title><p id=stays>This text stays.</p>${Object.values(IN_HTML).join('\n')}<script>${scripts.join('\n')}</script>`;
  return {
    origin,
    html: led(html),
    fields: Object.fromEntries(Object.entries(FIELDS).map(([name, value]) => [name, led(value)])),
    files: {
      '/worker.js': [
        led("fetch('http://HERE/worker-file');addEventListener('install',(e)=>e.waitUntil(fetch('http://HERE/installed')))"),
        'text/javascript',
      ],
      '/spoken': [led("<script>fetch('http://HERE/spoken-fetch');new WebSocket('ws://HERE/spoken-socket')</script>"), 'text/html'],
    },
  };
}

function lead(text: string, port: number, origin: string): string {
  const places = {
    HERE: `127.0.0.1:${port}`,
    ALSO: `127.0.0.2:${port}`,
    SIX: `[::1]:${port}`,
    NAME: `localhost:${port}`,
    PAGE: origin,
    PORT: String(port),
  };
  return text.replace(/\b(?:HERE|ALSO|SIX|NAME|PAGE|PORT)\b/g, (word) => places[word as keyof typeof places]);
}
