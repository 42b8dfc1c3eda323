/**
 * Links that need no request, because they lead to a file other than a page. Only an answer can tell for certain: a wiki has pages called `Tide.js` and
 * `File:Mill.jpg`. So an ending counts where its files are common and the rest of the path does not name a page. Other links are requested; an answer
 * of another media type is refused by its header, before its body, and after four of them the ending is parked on that host (`crawling/frontier/file-endings.ts`).
 */
import type { CanonicalUrl, HostKey } from '../core/types.ts';

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Endings of images, sound and film. */
const MEDIA = words(
  'avif bmp cur gif heic ico jpeg jpg jp2 png psd svg svgz tif tiff webp eps drw dxf ' +
    'aac aif aiff flac m4a mid midi mp3 oga ogg opus wav wma ' +
    '3gp asf avi flv m4v mkv mov mp4 mpeg mpg ogv swf vob webm wmv',
);
/** Endings of images, sound, film, archives, office files, programs and fonts: links to them are common. */
const FILES = new Set([
  ...MEDIA,
  ...words(
    '7z bz2 cab deb dmg gz iso jar lz lzma rar rpm tar tbz2 tgz xz zip zst ' +
      'doc docx epub mobi odg odp ods odt pdf ppt pptx rtf xls xlsx djvu dvi ' +
      'apk dll exe msi pyc whl eot otf ttf woff woff2',
  ),
]);
/** Files that pages load and seldom link to. As names of software, sites and methods (`Three.js`, `Character.ai`, `dlopen.so`) they are common. */
const NAMES = words('css js mjs map class bin o obj so pkg wasm ai ps ra rm qt');

/** Longer than each of them, with its dot. */
const MAX_ENDING = 8;
const [DOT, SLASH] = [0x2e, 0x2f];

/** Folders of files, in every content system. */
const FOLDERS = words(
  'static assets asset js css script scripts style styles dist build lib libs vendor node_modules bower_components files file download downloads media ' +
    'images image img imgs pics photos upload uploads attachments resources res raw thumb thumbs skins themes plugins fonts includes wp-content wp-includes ' +
    'modules sites cache bundles _next _nuxt _static',
);
/** Folders below which the title or the path of a thing stands, and the answer is a page about it: wikis, forges, packages, tags. */
const TITLES = words(
  'wiki wikis title titles blob blame tree topic topics tag tags tagged package packages pkg category categories term entry',
);
/** A script with a path behind it: `/index.php/File.png`, `/doku.php/mill.zip`. */
const SCRIPT = /\.(?:php\d?|phtml|cgi|pl|aspx?|jsp)$/;
/** Names of files that a build has made: `app.min.js`, `main-4f9c21aa.css`, `jquery-3.7.1.js`. */
const BUILT = /[.-](?:min|bundle|chunk|module|prod|v?\d[\d.]*|[0-9a-f]{6,})\.[a-z]+$/;

/** Does a URL certainly enough lead to a file other than a page? Its media type would only be refused. */
export function leadsToMedia(url: string): boolean {
  const ending = fileEnding(url);
  if (ending === null) return false;
  const [path = '', query] = url
    .slice(url.indexOf('/', 8) + 1)
    .toLowerCase()
    .split('?', 2);
  const folders = path.split('/');
  const last = folders.pop() ?? '';
  if (!NAMES.has(ending)) return !namesPage(last, folders);
  return query !== undefined || BUILT.test(last) || folders.some((name) => FOLDERS.has(name));
}

/** The ending of the path if files have such endings, lower case; null for others. */
export function fileEnding(url: string): string | null {
  const query = url.indexOf('?');
  const end = query < 0 ? url.length : query;
  const dot = dotOfEnding(url, end);
  // A path, not the host name: the slash after the host comes before the dot.
  if (dot < 0 || dot < url.indexOf('/', 8)) return null;
  const ending = url.slice(dot + 1, end).toLowerCase();
  return FILES.has(ending) || NAMES.has(ending) ? ending : null;
}

/** The place of the dot of an ending, or -1. Each link of each page asks, and most have none. */
function dotOfEnding(url: string, end: number): number {
  for (let at = end - 1; at >= end - MAX_ENDING; at--) {
    const code = url.charCodeAt(at);
    if (code === DOT) return at;
    if (code === SLASH) return -1;
  }
  return -1;
}

/** The ending of an image, a sound or a film, lower case; null for others. */
export function mediaEnding(url: string): string | null {
  const ending = fileEnding(url);
  return ending !== null && MEDIA.has(ending) ? ending : null;
}

/** A name in a namespace (`File:Mill.jpg`), or one below a folder of titles, without a folder of files in between. */
function namesPage(last: string, folders: readonly string[]): boolean {
  if (/:|%3a/.test(last)) return true;
  const below = folders.findLastIndex((name) => TITLES.has(name) || SCRIPT.test(name));
  return below >= 0 && !folders.slice(below + 1).some((name) => FOLDERS.has(name) || name.includes(':'));
}

/** Paths at which sites have their sitemaps and feeds. */
const LIST_PATH = /(?:\.(?:xml|rss|atom|rdf)(?:\.gz)?|\/(?:feed|rss|atom)\/?|\/sitemap[^/]*\.txt(?:\.gz)?)$/i;

/** Does the URL look like that of a sitemap or feed? */
export function leadsToList(url: string): boolean {
  return LIST_PATH.test(url.split(/[?#]/, 1)[0] ?? '');
}

/** Address at which sites without a `Sitemap` line in their robots.txt usually have one. */
export function usualSitemapOf(host: HostKey): CanonicalUrl {
  return `${host}/sitemap.xml` as CanonicalUrl;
}
