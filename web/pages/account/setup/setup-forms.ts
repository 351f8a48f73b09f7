import { useState } from 'react';
import { z } from 'zod';

import type { OutputOf } from '../../../../src/contract/operation.ts';
import { NewHousehold, completeSetup, type getSetup } from '../../../../src/features/setup/setup.contract.ts';
import { ApiError, visitorApi } from '../../../api/client.ts';
import { showErrorsAt, useOperationForm, type OperationForm } from '../../../components/form.tsx';
import { PASSWORD_TWICE, SAME_PASSWORD } from '../new-password.tsx';
import { ownCurrency, ownTimezone } from './places.ts';

export type CompletedSetup = OutputOf<typeof completeSetup>;
export type Members = NonNullable<OutputOf<typeof getSetup>['members']>;
/** Stands for a new member in the list of existing ones. */
export const SOMEBODY_NEW = 'new';

/** For an empty field, the message about addresses says too much. */
const Address = z.string().trim().min(1, 'must not be empty').pipe(NewHousehold.shape.email);
const { household_name, default_currency, timezone, create_api_key } = NewHousehold.shape;
const PERSON = {
  body: z
    .object({ user_id: z.string().min(1, 'choose who you are'), name: z.string(), email: Address, ...PASSWORD_TWICE })
    .refine(...SAME_PASSWORD)
    .refine(({ user_id: userId, name }) => userId !== SOMEBODY_NEW || name.trim() !== '', {
      path: ['name'],
      message: 'must not be empty',
      when: () => true,
    }),
};
const HOUSEHOLD = { body: z.object({ household_name, default_currency, timezone, create_api_key }) };
export type Person = z.input<typeof PERSON.body>;
export type Household = z.input<typeof HOUSEHOLD.body>;

type Step =
  | { readonly is: 'token'; readonly wasRefused: boolean }
  | { readonly is: 'person' | 'household'; readonly token: string; readonly members: Members }
  | { readonly is: 'set_up_already' };

export interface SetupForms {
  step: Step;
  person: OperationForm<Person>;
  household: OperationForm<Household>;
  /** With a token that the server takes. */
  begin: (token: string, members: Members) => void;
  back: () => void;
}

/** What is typed stays in the forms, whichever step is shown, even if the token expires in the meantime. */
export function useSetup(onCompleted: (setup: CompletedSetup) => void): SetupForms {
  const [step, setStep] = useState<Step>({ is: 'token', wasRefused: false });
  const goTo = (is: 'person' | 'household'): void => setStep((now) => ('token' in now ? { ...now, is } : now));
  const person = useOperationForm(PERSON, {
    defaults: { user_id: '', name: '', email: '', password: '', password_again: '' },
    send: async () => goTo('household'),
  });
  const household = useOperationForm(HOUSEHOLD, {
    defaults: { household_name: '', default_currency: ownCurrency(), timezone: ownTimezone(), create_api_key: false },
    send: async (values) => {
      const token = 'token' in step ? step.token : '';
      try {
        onCompleted(await visitorApi.call(completeSetup, { body: bodyOf(token, person.getValues(), values) }));
      } catch (error) {
        const code = error instanceof ApiError ? error.code : '';
        if (code === 'INVALID_SETUP_TOKEN') setStep({ is: 'token', wasRefused: true });
        else if (code === 'ALREADY_SET_UP') setStep({ is: 'set_up_already' });
        else if (showErrorsAt(person, atTheirFields(error))) goTo('person');
        else throw error;
      }
    },
  });
  return {
    step,
    person,
    household,
    begin(token, members) {
      if (members.length === 0) person.setValue('user_id', SOMEBODY_NEW);
      setStep({ is: 'person', token, members });
    },
    back: () => goTo('person'),
  };
}

/** What was left empty keeps its default. */
function bodyOf(token: string, person: Person, household: Household) {
  const { user_id: userId, name, email: address, password } = person;
  const given = Object.entries(household).filter(([, value]) => value !== '');
  const who = userId === SOMEBODY_NEW ? { name } : { user_id: userId };
  return { token, ...who, email: address, password, ...(Object.fromEntries(given) as Household) };
}

const FIELDS: Readonly<Record<string, string>> = { IDENTIFIER_TAKEN: 'email', LOGIN_EXISTS: 'user_id' };

/** Some errors are about one field without naming it in their details. */
function atTheirFields(error: unknown): unknown {
  const path = error instanceof ApiError ? FIELDS[error.code] : undefined;
  if (!(error instanceof ApiError) || path === undefined) return error;
  const details = [{ path, message: error.message }];
  return new ApiError(error.status, { error: { ...error.body.error, details } });
}
