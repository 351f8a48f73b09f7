import { handleRead } from '../handler.ts';
import { listUsers as operation } from './users.contract.ts';
import { selectUsers } from './users.queries.ts';
import { toUser } from './users.table.ts';

export const listUsers = handleRead(operation, async ({ tx }) => (await selectUsers(tx)).map(toUser));
