export { accountLinks, disableLinksOfPrimaries, linkAccounts, moveLinks } from './account-links.entity.ts';
