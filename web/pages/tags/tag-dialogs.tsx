import { createTag, deleteTag, getTag, updateTag } from '../../../src/features/tags/tags.contract.ts';
import { useApiRecord, useApiWrite, type KnownRecord } from '../../api/queries.ts';
import { ColorField } from '../../components/color-field.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { sentSlug, SlugField, withSlug } from '../../components/slug-field.tsx';
import { inFields } from '../../components/stored-record.ts';
import { TextArea, TextField } from '../../components/text-fields.tsx';
import { counted } from '../../lib/numbers.ts';
import type { Tag, TagAction } from './tags-page.tsx';

const COLOR = '#0d9488';

const body = withSlug(createTag.body);

interface DialogProps {
  onClose: () => void;
}

export function TagDialog({ action, onClose }: DialogProps & { action: TagAction }) {
  if (action.kind === 'new') {
    return (
      <Dialog open title="New tag" onClose={onClose}>
        <NewTag onClose={onClose} />
      </Dialog>
    );
  }
  if (action.kind === 'edit') return <EditTagDialog tag={action.tag} onClose={onClose} />;
  return <DeleteTagDialog tag={action.tag} onClose={onClose} />;
}

function NewTag({ onClose }: DialogProps) {
  const create = useApiWrite(createTag, { undo: ({ name }) => `Tag “${name}” made`, onSuccess: onClose });
  const form = useOperationForm(
    { body },
    {
      defaults: { name: '', color: COLOR, description: '', slug: '' },
      guarded: true,
      send: ({ slug, ...others }) => create.mutateAsync({ body: { ...others, ...sentSlug({ slug }) } }),
    },
  );
  return (
    <Form form={form} submit="Make the tag" onCancel={onClose}>
      <TagFields />
      <SlugField />
    </Form>
  );
}

function EditTagDialog({ tag, onClose }: DialogProps & { tag: Tag }) {
  const record = useApiRecord(getTag, { params: { slug: tag.id } });
  return (
    <Dialog open title={`Edit ${tag.name}`} onClose={onClose}>
      <Loaded query={record} lines={6}>
        {(known) => <EditTag known={known} reread={record.reread} onClose={onClose} />}
      </Loaded>
    </Dialog>
  );
}

interface EditTagProps extends DialogProps {
  known: KnownRecord<Tag>;
  reread: () => Promise<KnownRecord<Tag>>;
}

function EditTag({ known, reread, onClose }: EditTagProps) {
  const update = useApiWrite(updateTag, { undo: 'Tag changed', onSuccess: onClose });
  const record = inFields({ known, reread }, ({ name, color, description }) => ({ name, color, description }));
  const form = useOperationForm(updateTag, {
    defaults: record.values,
    record,
    guarded: true,
    send: (body, ifMatch) => update.mutateAsync({ params: { slug: known.value.id }, body, ifMatch }),
  });
  return (
    <Form form={form} submit="Save" onCancel={onClose}>
      <TagFields />
      <p className="text-sm text-muted">
        Its short form <code className="wrap-anywhere">{known.value.slug}</code> cannot change, because rules and
        scripts may name it.
      </p>
    </Form>
  );
}

function TagFields() {
  return (
    <>
      <TextField name="name" label="Name" autoComplete="off" />
      <TextArea name="description" label="What it is for" optional rows={2} />
      <ColorField name="color" label="Colour" />
    </>
  );
}

function DeleteTagDialog({ tag, onClose }: DialogProps & { tag: Tag }) {
  const remove = useApiWrite(deleteTag, { undo: `Tag “${tag.name}” deleted` });
  const { transaction_count: count } = tag;
  return (
    <ConfirmDialog
      open
      title={`Delete the tag “${tag.name}”?`}
      action="Delete"
      onConfirm={() => remove.mutateAsync({ params: { slug: tag.id } })}
      onClose={onClose}
    >
      <p>
        {count === 0
          ? 'No transaction has it.'
          : `It is taken off ${counted(count, 'transaction')}; the transactions stay.`}{' '}
        This can be undone.
      </p>
    </ConfirmDialog>
  );
}
