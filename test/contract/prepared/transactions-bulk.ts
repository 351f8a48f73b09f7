import type { Prepared } from '../live-calls.ts';
import { freshTransaction } from './transactions.ts';

const CATEGORY = 'food_and_drink_coffee';

/** Calls of operations that need data which a new installation lacks: each creates the data and returns its parameters. */
export const prepared: Prepared = {
  async updateTransactions(app) {
    const { short_id: id } = await freshTransaction(app);
    return { body: { operations: [{ transaction_id: id, category_slug: CATEGORY, comment: 'Latte' }] } };
  },
  async batchCategorizeTransactions(app) {
    return { body: { transaction_ids: [(await freshTransaction(app)).short_id], category_id: CATEGORY } };
  },
  async bulkRecategorizeTransactions(app) {
    const { short_id: id } = await freshTransaction(app);
    return { body: { transaction_ids: [id], target_category_id: CATEGORY } };
  },
  async bulkUpdateTransactions(app) {
    const { short_id: id } = await freshTransaction(app);
    return { body: { transaction_ids: [id], changes: { category_id: CATEGORY, tags_to_add: ['seen'] } } };
  },
};
