/** Hook of a crawl: writes the main text of each visited page, as the crawl judges it. */
import { appendFileSync } from 'node:fs';

export function afterRead({ url, text }) {
  appendFileSync(process.env.TEXTS_FILE, `${JSON.stringify({ url, text })}\n`);
}
