export { accountLinks } from './account-links.entity.ts';
export { disableLinksOfPrimaries, endLinks, followOwners, moveLinks } from './follow-accounts.ts';
export { linkAccounts } from './link-accounts.ts';
export { undoneWithLink } from './undone-with-link.ts';
export { settleLinks } from './settle-links.ts';
export { leftToLinks } from './dependent-flag.ts';
export { countedWithoutLink } from './returning-copies.ts';
