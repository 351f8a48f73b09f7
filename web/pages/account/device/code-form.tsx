import { z } from 'zod';

import { Form, useOperationForm } from '../../../components/form.tsx';
import { TextField } from '../../../components/text-fields.tsx';
import { codeIn } from './user-code.ts';

const FORM = {
  body: z.object({
    code: z.string().refine((text) => codeIn(text) !== undefined, 'must have 8 letters and digits, such as KTQR-7H2M'),
  }),
};

interface CodeFormProps {
  given: string;
  /** A request is shown below; the box stays, to be corrected. */
  isOpen: boolean;
  onCode: (code: string) => void;
}

/** In any case of letters, with or without the dash. */
export function CodeForm({ given, isOpen, onCode }: CodeFormProps) {
  const form = useOperationForm(FORM, {
    defaults: { code: given },
    send: async ({ code }) => onCode(codeIn(code) ?? code),
  });
  return (
    <Form form={form} submit={isOpen ? 'Look up' : 'Continue'} look={isOpen ? 'secondary' : 'primary'}>
      <TextField
        name="code"
        label="Code on the device"
        hint="Capitals do not matter, and neither does the dash."
        placeholder="XXXX-XXXX"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        monospaced
        autoFocus={!isOpen}
      />
    </Form>
  );
}
