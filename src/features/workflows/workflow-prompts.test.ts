import { beforeAll, expect, test } from 'vitest';

import { allRows } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import { addFromPreset } from '../../../test/harness/workflows/workflow-rows.ts';

const WORKFLOWS = '/api/v1/workflows';
const BLOCKS = ['strategy-routine-review', 'review-depth-efficient', 'category-system'];

const errorOf = ({ status, json }: Answer) => [status, json?.error?.code];
const pathsOf = ({ json }: Answer): string[] => json.error.details.map(({ path }: { path: string }) => path);

forEachDatabase((database) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await database.open();
  });

  const call = (method: string, path: string, body?: unknown) =>
    app.request(method, `${WORKFLOWS}${path}`, body === undefined ? {} : { body });
  const create = (body: object) => call('POST', '', body);
  const change = (slug: string, body: object) => call('PATCH', `/${slug}`, body);

  test('a prompt is composed from blocks or written by hand, and each replaces the other', async () => {
    const made = await create({ name: 'Blocks', prompt_blocks: BLOCKS, extra_instructions: 'Be brief.' });
    expect(made.json).toMatchObject({ prompt_edited: false, prompt_blocks: BLOCKS, extra_instructions: 'Be brief.' });
    expect(made.json.prompt).toMatch(/## Additional instructions\n\nBe brief\.$/);
    const edited = (await change('blocks', { prompt: 'By hand' })).json;
    expect(edited).toMatchObject({
      prompt: 'By hand',
      prompt_edited: true,
      prompt_blocks: [],
      extra_instructions: null,
    });
    for (const extra of ['More', '']) {
      const refused = await change('blocks', { extra_instructions: extra });
      expect(errorOf(refused)).toEqual([409, 'PROMPT_EDITED']);
    }
    const again = await change('blocks', { prompt_blocks: ['strategy-routine-review'], extra_instructions: 'More' });
    expect(again.json).toMatchObject({ prompt_edited: false, extra_instructions: 'More' });
    for (const [blocks, says] of [
      [[], 'exactly one strategy block, not 0'],
      [['category-system'], 'exactly one strategy block, not 0'],
      [['strategy-routine-review', 'strategy-spending-report'], 'exactly one strategy block, not 2'],
      [[...BLOCKS, 'review-depth-thorough'], 'at most one depth block, not 2'],
      [[...BLOCKS, 'category-system'], '"category-system" occurs twice'],
      [['strategy-routine-reviews'], 'Did you mean strategy-routine-review?'],
    ] as const) {
      for (const refused of [
        await change('blocks', { prompt_blocks: blocks }),
        await create({ name: 'N', prompt_blocks: blocks }),
        await call('POST', '/compose', { prompt_blocks: blocks }),
      ]) {
        expect([...errorOf(refused), pathsOf(refused)]).toEqual([400, 'VALIDATION_ERROR', ['prompt_blocks']]);
        expect(refused.json.error.message).toContain(says);
      }
    }
  });

  test('options of a hand-edited preset need recompose, which brings its blocks back', async () => {
    const { slug, prompt } = await addFromPreset(app);
    const flagged = await change(slug, { preset_options: { apply_mode: 'flag_only' } });
    expect(flagged.json).toMatchObject({ preset_options: { apply_mode: 'flag_only' }, prompt_edited: false });
    expect(flagged.json.prompt.startsWith(prompt)).toBe(true);
    expect(flagged.json.prompt.length).toBeGreaterThan(prompt.length);
    for (const options of [{ apply_mode: 'never' }, { other: 'auto' }]) {
      expect(pathsOf(await change(slug, { preset_options: options }))[0]).toMatch(/^preset_options/);
    }

    await change(slug, { prompt: 'By hand' });
    const options = { preset_options: { apply_mode: 'auto' } };
    expect(errorOf(await change(slug, options))).toEqual([409, 'PROMPT_EDITED']);
    expect((await call('GET', `/${slug}`)).json).toMatchObject({ prompt: 'By hand', prompt_edited: true });
    const again = await change(slug, { ...options, recompose: true });
    expect([again.status, again.json]).toMatchObject([
      200,
      { prompt, prompt_edited: false, prompt_blocks: BLOCKS, preset_options: { apply_mode: 'auto' } },
    ]);
    expect(pathsOf(await change(slug, { prompt: 'x', recompose: true }))).toEqual(['recompose']);
    await call('DELETE', `/${slug}`);
  });

  test('compose shows the prompt that a workflow would have, and writes nothing', async () => {
    const before = await allRows(app.app.instance.database, ['api_key_uses']);
    const body = {
      preset: 'routine-reviewer',
      options: { apply_mode: 'flag_only' },
      extra_instructions: ' Añade €. ',
    };
    const { status, json } = await call('POST', '/compose', body);
    expect(status).toBe(200);
    expect(json.prompt).toMatch(/## Additional instructions\n\nAñade €\.$/);
    expect(json.characters).toBe([...json.prompt].length);
    expect(json.token_estimate).toBe(Math.ceil(json.characters / 4));
    const plain = (await call('POST', '/compose', { prompt_blocks: BLOCKS })).json;
    expect((await call('POST', '/compose', { preset: 'routine-reviewer' })).json).toEqual(plain);
    expect(errorOf(await call('POST', '/compose', { preset: 'nothing' }))).toEqual([404, 'NOT_FOUND']);
    for (const wrong of [
      {},
      { preset: 'routine-reviewer', prompt_blocks: BLOCKS },
      { prompt_blocks: BLOCKS, options: {} },
      { preset: 'routine-reviewer', options: { apply_mode: 'x' } },
    ]) {
      expect(errorOf(await call('POST', '/compose', wrong))).toEqual([400, 'VALIDATION_ERROR']);
    }
    expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
  });
});
