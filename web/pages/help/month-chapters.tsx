import { Chapter, Links, ToGuide, ToPage } from './chapter.tsx';
import { PICTURES } from './pictures.ts';

/** What is done every month, in its order. */

export function ImportChapter() {
  return (
    <Chapter id="import" title="Import a file" picture={PICTURES.importing}>
      <p>
        Download your transactions at your bank, and drop the file on any page. You see which account it belongs to, how
        many rows are new, and whether they add up to the bank’s balance. Nothing is written before you press Import.
      </p>
      <p>
        Overlapping months do no harm: rows that are already here are recognised. If something in a file can be read in
        two ways, you are asked, and you see both.
      </p>
      <p>A bank that you connect sends its transactions by itself.</p>
      <Links>
        <ToPage to="/imports/new">Import a file</ToPage>
        <ToPage to="/connections/new">Add a bank</ToPage>
        <ToGuide name="importing" />
        <ToGuide name="moving-in" />
        <ToGuide name="by-hand" />
      </Links>
    </Chapter>
  );
}

export function ReviewChapter() {
  return (
    <Chapter id="review" title="Review what is new" picture={PICTURES.review}>
      <p>
        Review shows what is new, has no category or is flagged, in groups of the same kind. Press Right (Enter) if the
        category fits, Change (c) if not, and Skip (s) to leave it for later. A flag (f) marks what is worth a question.
      </p>
      <p>When no group is left, the month is done.</p>
      <Links>
        <ToPage to="/review">Review</ToPage>
        <ToPage to="/categories">Categories</ToPage>
      </Links>
    </Chapter>
  );
}

export function RulesChapter() {
  return (
    <Chapter id="rules" title="Let next month file itself" picture={PICTURES.rules}>
      <p>
        A rule says: when a transaction looks like this, do that. Choose Rule too (R) in Review, or make one under
        Rules. You see what it would change before you save it. From then on it files what imports and banks bring.
      </p>
      <p>What a person has chosen stays, unless a rule is told to overwrite it.</p>
      <Links>
        <ToPage to="/rules">Rules</ToPage>
        <ToGuide name="rules" />
      </Links>
    </Chapter>
  );
}

export function UndoChapter() {
  return (
    <Chapter id="undo" title="Undo a mistake" picture={PICTURES.history}>
      <p>
        Every change is in History: who made it, when, and the values before and after. Nearly all of them can be
        undone. Undo says first what comes back, and what stays because somebody has changed it since. This holds for
        one category, for a file of a thousand rows and for everything that a rule did. An undo can be undone, too.
      </p>
      <p>
        The newest changes are behind the clock beside the search. Right after a change, the message at the bottom has
        Undo.
      </p>
      <Links>
        <ToPage to="/history">History</ToPage>
      </Links>
    </Chapter>
  );
}
