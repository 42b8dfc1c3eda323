/** Names of members and columns in which files of records have addresses and words. */

/** Names of the address of a page. Other URLs of a record (of an image, of the page that linked) are none of it. */
export const ADDRESS =
  /^(?:url|uri|link|href|loc|address|web_?site|home_?page|web_?page|(?:target|original|page|landing)[-_ ]?(?:page[-_ ]?)?(?:url|uri))$/i;
export const TITLE = /^(?:title|primary_?title|t1|ti|anchor(?:[-_ ]?text)?)$/i;
/** Summaries, notes and tags, as Zotero, CSL, RIS and bookmarks call them. */
export const CONTEXT =
  /^(?:abstract(?:[-_ ]?note)?|description|summary|snippet|context|notes?|keywords?|(?:manual[-_ ]|automatic[-_ ])?tags?|publication[-_ ]?title|container-title|folder)$/i;
