/** Switches of Chromium: a browser without a network, a window or a memory of its own. */

/** A name that cannot resolve (RFC 6761 §6.4): the browser has no proxy to connect to, so a request that nobody answers ends before any socket. */
const DEAD_PROXY = 'http://proxy.invalid:9';

/** Features that send requests by themselves, or that want a person. */
const FEATURES_OFF = [
  'AutofillServerCommunication',
  'BackForwardCache',
  'CertificateTransparencyComponentUpdater',
  'DialMediaRouteProvider',
  'HttpsUpgrades',
  'LocalNetworkAccessChecks',
  'MediaRouter',
  'NetworkPrediction',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'Prerender2',
  'PreconnectToSearch',
  'SpareRendererForSitePerProcess',
  'Translate',
  'WebRtcHideLocalIpsWithMdns',
];

/** @param profile an empty folder, which the browser fills */
export function browserFlags(profile: string, noSandbox: boolean): readonly string[] {
  return [
    '--headless',
    '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
    ...(noSandbox ? ['--no-sandbox'] : []),
    // No network: no name and no address resolves, the proxy's neither; no protocol goes past the proxy. `^` makes each name invalid: `~NOTFOUND`,
    // which is often advised, is itself looked up, and each look-up connects a UDP socket.
    '--host-resolver-rules=MAP * ^NOTFOUND',
    `--proxy-server=${DEAD_PROXY}`,
    '--proxy-bypass-list=<-loopback>',
    '--disable-quic',
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--no-pings',
    // No work of its own.
    '--disable-background-networking',
    '--disable-breakpad',
    '--disable-client-side-phishing-detection',
    '--disable-component-extensions-with-background-pages',
    '--disable-component-update',
    '--disable-default-apps',
    '--disable-domain-reliability',
    '--disable-extensions',
    '--disable-field-trial-config',
    '--disable-sync',
    '--metrics-recording-only',
    '--no-default-browser-check',
    '--no-first-run',
    '--no-startup-window',
    '--no-service-autorun',
    '--password-store=basic',
    '--use-mock-keychain',
    `--disable-features=${FEATURES_OFF.join(',')}`,
    // The same language on every machine.
    '--lang=en-US',
    // No pictures, no sound, no graphics card; timers of hidden pages run like others.
    '--blink-settings=imagesEnabled=false',
    '--disable-background-timer-throttling',
    '--disable-backgrounding-occluded-windows',
    '--disable-dev-shm-usage',
    '--disable-gpu',
    '--disable-renderer-backgrounding',
    '--mute-audio',
    '--js-flags=--max-old-space-size=512',
  ];
}
