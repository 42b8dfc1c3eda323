/** Scripts that are evaluated in a rendered page. */
import { createHash } from 'node:crypto';
import type { CanonicalUrl } from '../../base/core/types.ts';

/**
 * Runs before the scripts of the page: random numbers follow from a seed (mulberry32, T. Ettinger 2017), and no window opens. There are no
 * workers, since their requests cannot be watched and their clock is not the page's; and no WebRTC, which would ask the system for its address.
 */
const FIXED_CHANCE = `(() => {
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

/**
 * Runs with it: scripts that wait until an element is seen (Intersection Observer, W3C) are asked by the clock of the page, ten times a second. The
 * observer of the browser follows its frames, so a list would grow by the speed of the machine.
 */
const FIXED_SIGHT = `(() => {
  const sides = (margin) => {
    const [top = '0px', right = top, bottom = top, left = right] = margin.trim().split(/\\s+/);
    return [top, right, bottom, left];
  };
  const length = (side, of) => parseFloat(side) * (side.endsWith('%') ? of / 100 : 1) || 0;
  window.IntersectionObserver = class IntersectionObserver {
    #callback;
    #targets = new Map();
    #timer;
    constructor(callback, { root = null, rootMargin = '0px', threshold = 0 } = {}) {
      this.#callback = callback;
      [this.root, this.rootMargin, this.thresholds] = [root, rootMargin, [threshold].flat().sort((a, b) => a - b)];
    }
    observe(target) {
      if (!this.#targets.has(target)) this.#targets.set(target, -1);
      this.#timer ??= setInterval(() => this.#look(), 100);
    }
    unobserve(target) {
      this.#targets.delete(target);
    }
    disconnect() {
      this.#targets.clear();
    }
    takeRecords() {
      return [];
    }
    #bounds() {
      const { top, right, bottom, left } =
        this.root instanceof Element ? this.root.getBoundingClientRect() : { top: 0, right: innerWidth, bottom: innerHeight, left: 0 };
      const [above, after, below, before] = sides(this.rootMargin);
      const [width, height] = [right - left, bottom - top];
      const [x, y] = [left - length(before, width), top - length(above, height)];
      return new DOMRect(x, y, right + length(after, width) - x, bottom + length(below, height) - y);
    }
    #look() {
      const rootBounds = this.#bounds();
      const entries = [];
      for (const [target, before] of this.#targets) {
        const boundingClientRect = target.getBoundingClientRect();
        const [x, y] = [Math.max(rootBounds.left, boundingClientRect.left), Math.max(rootBounds.top, boundingClientRect.top)];
        const width = Math.min(rootBounds.right, boundingClientRect.right) - x;
        const height = Math.min(rootBounds.bottom, boundingClientRect.bottom) - y;
        const meets = target.isConnected && width >= 0 && height >= 0;
        const area = boundingClientRect.width * boundingClientRect.height;
        const intersectionRatio = !meets ? 0 : area > 0 ? (width * height) / area : 1;
        const reached = meets ? this.thresholds.filter((least) => intersectionRatio >= least).length : 0;
        if (reached === before) continue;
        this.#targets.set(target, reached);
        const intersectionRect = meets ? new DOMRect(x, y, width, height) : new DOMRect();
        const time = performance.now();
        entries.push({ target, time, rootBounds, boundingClientRect, intersectionRect, intersectionRatio, isIntersecting: reached > 0 });
      }
      if (entries.length > 0) this.#callback.call(this, entries, this);
    }
  };
})()`;

/** Scripts that run before those of a page. The seed of its chance follows from its URL. */
export function fixesFor(url: CanonicalUrl): string {
  return `${FIXED_CHANCE.replace('SEED', String(createHash('sha256').update(url).digest().readUInt32LE(0)))};${FIXED_SIGHT}`;
}

/** Length of the text, number of elements, and whether the page has loaded. */
export const MEASURE = `[document.body?.textContent.length ?? 0, document.getElementsByTagName('*').length, document.readyState === 'complete']`;

/** Scrolls to the end of the page. Two frames later, scripts that listen to it have been asked (HTML standard, §update the rendering). */
export const SCROLL = `new Promise((resolve) => {
  scrollTo(0, document.documentElement.scrollHeight);
  requestAnimationFrame(() => requestAnimationFrame(resolve));
})`;
