/** Scripts that are evaluated in a rendered page. */

/**
 * Runs before the scripts of the page: random numbers follow from a seed (mulberry32, T. Ettinger 2017), and no window opens. There are no
 * workers, since their requests cannot be watched and their clock is not the page's; and no WebRTC, which would ask the system for its address.
 */
export const FIXED_CHANCE = `(() => {
  let state = SEED;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  };
  Math.random = () => next() / 4294967296;
  const fill = (array) => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let i = 0; i < bytes.length; i++) bytes[i] = next();
    return array;
  };
  Crypto.prototype.getRandomValues = fill;
  Crypto.prototype.randomUUID = () => {
    const hex = [...fill(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    return [hex.slice(0, 8), hex.slice(8, 12), '4' + hex.slice(13, 16), '8' + hex.slice(17, 20), hex.slice(20)].join('-');
  };
  // The clock of the page stands at whole milliseconds; the fraction is of this machine.
  const { now } = Performance.prototype;
  Performance.prototype.now = function () {
    return Math.round(now.call(this));
  };
  // Frames follow the clock of the page too, sixty a second.
  window.requestAnimationFrame = (callback) => setTimeout(() => callback(performance.now()), 1000 / 60);
  window.cancelAnimationFrame = (id) => clearTimeout(id);
  delete window.RTCPeerConnection;
  delete window.webkitRTCPeerConnection;
  delete window.Worker;
  delete window.SharedWorker;
  delete Navigator.prototype.serviceWorker;
  window.open = () => null;
  window.print = () => undefined;
})()`;

/** Length of the text, number of elements, and whether the page has loaded. */
export const MEASURE = `[document.body?.textContent.length ?? 0, document.getElementsByTagName('*').length, document.readyState === 'complete']`;

/** Scrolls to the end of the page. Two frames later, scripts that watch for it have been asked (HTML standard, §update the rendering). */
export const SCROLL = `new Promise((resolve) => {
  scrollTo(0, document.documentElement.scrollHeight);
  requestAnimationFrame(() => requestAnimationFrame(resolve));
})`;
