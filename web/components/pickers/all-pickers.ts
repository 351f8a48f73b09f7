/** The pickers in one file, which is read after the page that may need them. */
export { AccountPicker } from './account-picker.tsx';
export { CategoryPicker } from './category-picker.tsx';
export { CounterpartyPicker } from './counterparty-picker.tsx';
export { MemberPicker } from './member-picker.tsx';
export { SeriesPicker } from './series-picker.tsx';
export { TagsPicker } from './tags-picker.tsx';
