import { Ellipsis, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';

import { ActionLink } from '../../components/action-link.tsx';
import { Button, IconButton } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dialog, Drawer } from '../../components/dialog.tsx';
import { Menu } from '../../components/menu.tsx';
import { Section } from '../../components/page-header.tsx';
import { showToast } from '../../components/toast-store.ts';

export function ActionSamples() {
  return (
    <>
      <Section title="Buttons">
        <div className="flex flex-wrap items-center gap-3">
          <Button look="primary" icon={Plus}>
            Add a member
          </Button>
          <Button>Cancel</Button>
          <Button look="quiet">Show more</Button>
          <Button look="danger" icon={Trash2}>
            Delete
          </Button>
          <Button look="primary" busy>
            Saving
          </Button>
          <ActionLink to="/internal/components">A link to a page</ActionLink>
          <Button disabledReason="Only an admin of the household may do this.">Invite</Button>
          <IconButton icon={Pencil} label="Edit" />
          <Menu
            trigger={<IconButton icon={Ellipsis} label="More actions" />}
            items={[
              { label: 'Rename', icon: Pencil, onSelect: () => showToast('Renamed.') },
              { label: 'Invite', onSelect: () => undefined, disabledReason: 'Only an admin may do this.' },
              { label: 'Delete', icon: Trash2, onSelect: () => undefined, destructive: true },
            ]}
          />
        </div>
      </Section>
      <Section title="Dialogs">
        <DialogSamples />
      </Section>
      <Section title="Notifications">
        <Button onClick={() => showToast('The invitation is ready.')}>Show a notification</Button>
      </Section>
    </>
  );
}

type Open = 'dialog' | 'drawer' | 'confirm' | 'name' | null;

function DialogSamples() {
  const [open, setOpen] = useState<Open>(null);
  const close = (): void => setOpen(null);
  const remove = async (): Promise<void> => showToast('Deleted.');
  return (
    <>
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => setOpen('dialog')}>Open a dialog</Button>
        <Button onClick={() => setOpen('drawer')}>Open a drawer</Button>
        <Button onClick={() => setOpen('confirm')}>Revoke a key</Button>
        <Button onClick={() => setOpen('name')}>Delete a member</Button>
      </div>
      <Dialog open={open === 'dialog'} title="A dialog" onClose={close}>
        <p className="mb-4">It keeps the focus inside, and gives it back when it closes.</p>
        <Button onClick={() => setOpen('confirm')}>Open another</Button>
      </Dialog>
      <Drawer open={open === 'drawer'} title="A drawer" onClose={close}>
        <p>It shows details beside a list, and is a full page on small screens.</p>
      </Drawer>
      <ConfirmDialog
        open={open === 'confirm'}
        title="Revoke “Kitchen tablet”?"
        action="Revoke"
        onConfirm={remove}
        onClose={close}
      >
        <p>Whatever uses this key stops working at once.</p>
      </ConfirmDialog>
      <ConfirmDialog
        open={open === 'name'}
        title="Delete Ana?"
        action="Delete"
        typeToConfirm="Ana"
        onConfirm={remove}
        onClose={close}
      >
        <p>Her sign-in and 2 API keys end. Her 3 accounts and 4,120 transactions stay without an owner.</p>
      </ConfirmDialog>
    </>
  );
}
