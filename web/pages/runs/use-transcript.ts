import { useQuery, type UseQueryResult } from '@tanstack/react-query';

import { getTranscript } from '../../../src/features/workflow-runs/workflow-runs.contract.ts';
import { api } from '../../api/client.ts';
import { keyOf, queryClient } from '../../api/queries.ts';
import type { Run } from './run-words.ts';

const FOLLOW_MS = 2_000;

/** A line of a transcript (contract 60.4); what `data` has depends on the type. */
export interface Line {
  seq: number;
  type: string;
  ts: string;
  data: Readonly<Record<string, unknown>>;
}

/** The transcript, which grows while its run is in progress: only the lines that are missing are asked for. */
export function useTranscript({ id, has_transcript: isThere }: Run): UseQueryResult<readonly Line[]> {
  const queryKey = keyOf(getTranscript, { params: { id } });
  return useQuery<readonly Line[]>({
    queryKey,
    queryFn: async ({ signal }) => {
      const known = queryClient.getQueryData<readonly Line[]>(queryKey) ?? [];
      const after = String(known.at(-1)?.seq ?? 0);
      const text = await api.call(getTranscript, { params: { id }, query: { after } }, { signal });
      const added = text.split('\n').filter((line) => line !== '');
      return added.length === 0 ? known : [...known, ...added.map((line) => JSON.parse(line) as Line)];
    },
    enabled: isThere,
    refetchInterval: ({ state }) => (isOver(state.data) ? false : FOLLOW_MS),
    structuralSharing: false,
  });
}

/** The last line of every finished run is its result. */
export function isOver(lines: readonly Line[] | undefined): boolean {
  return lines?.at(-1)?.type === 'result';
}
