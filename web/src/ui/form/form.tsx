import type { Envelope, FieldError } from '@ams/contract';
import { explainIssues } from '@ams/contract/messages/explain';
import { type ReactNode, useId, useState } from 'react';
import type { z } from 'zod';
import { contractMessages } from '../../platform/i18n.ts';
import { FieldFrame, TextControl, type TextControlProps } from './Field.tsx';
import { usePending } from '../feedback/pending.ts';
import style from './form.module.css';
import { type Keeping, useTyped } from './typed.ts';

type Errors = Partial<Record<string, string>>;

interface FormOptions<V, D> {
  /** The contract's schema of the body; its rules name the messages. Without one, only `check` is used. */
  schema?: z.ZodType<unknown, V>;
  initial: NoInfer<V>;
  /** Rules over several fields: messages by field. Messages of the schema take precedence. */
  check?: (values: V) => Errors;
  /** `changed`: the fields that differ from what the form began with. */
  send: (values: V, changed: Partial<V>) => Promise<Envelope<D>>;
  /** What a form that stays open begins with, once it was sent. */
  stored?: (data: D) => NoInfer<V>;
  onDone: (data: D, changed: Partial<V>) => void;
  onFail?: () => void;
  /** Which field a refusal by the server belongs under, such as `USERNAME_TAKEN: 'username'`. */
  fieldOf?: Partial<Record<string, keyof V & string>>;
  /** Typed text waits for its person when the session ends. */
  keeping?: Keeping<NoInfer<V>>;
}

const byPath = (fields: readonly FieldError[]): Errors =>
  Object.fromEntries(fields.map((field) => [field.path, field.message]).toReversed());

export const isFieldErrors = (value: unknown): value is FieldError[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'object' && entry !== null && 'path' in entry);

/** A form over a contract schema: checks before sending, shows what the server refuses under its field. */
export function useForm<V extends object, D>(options: FormOptions<V, D>) {
  const { schema, check, send, stored, onDone, onFail, fieldOf = {} } = options;
  const { values, set: setValue, changed, goOn } = useTyped<V>(options.initial, options.keeping);
  const [errors, setErrors] = useState<Errors>({});

  const show = (form: HTMLFormElement, next: Errors) => {
    setErrors(next);
    const first = [...form.elements].find((element) => (element.getAttribute('name') ?? '') in next);
    if (first instanceof HTMLElement) first.focus();
  };
  const problems = (): Errors => {
    const refusal = schema?.safeParse(values).error;
    const refused = refusal ? byPath(explainIssues(refusal.issues, contractMessages())) : {};
    return { ...check?.(values), ...refused };
  };
  const { pending: sending, run } = usePending();
  const submit = (form: HTMLFormElement) => run(() => submitOnce(form));
  const submitOnce = async (form: HTMLFormElement) => {
    const found = problems();
    show(form, found);
    if (Object.keys(found).length > 0) return;
    const answer = await send(values, changed);
    if (answer.error === undefined) {
      if (stored) goOn(values, stored(answer.data));
      return onDone(answer.data, changed);
    }
    const fields = answer.details?.['fields'];
    const field = fieldOf[answer.error];
    show(form, isFieldErrors(fields) ? byPath(fields) : field ? { [field]: answer.message } : {});
    onFail?.();
  };

  const set = <K extends keyof V & string>(name: K, value: V[K]) => {
    setValue(name, value);
    setErrors((before) => ({ ...before, [name]: undefined }));
  };
  return { values, set, errors, sending, submit };
}

interface FormHandle {
  submit: (form: HTMLFormElement) => Promise<void>;
}

export function Form({ form, children, label }: { form: FormHandle; children: ReactNode; label?: string }) {
  return (
    <form
      className={style.form}
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void form.submit(event.currentTarget);
      }}
    >
      {children}
    </form>
  );
}

interface TextFieldProps<V> extends Omit<TextControlProps, 'id' | 'value' | 'onChange' | 'name' | 'error'> {
  form: { values: V; errors: Errors; set: (name: TextKeys<V>, value: string) => void };
  name: TextKeys<V>;
  label: string;
  hint?: ReactNode;
}

type TextKeys<V> = { [K in keyof V & string]: string extends V[K] ? K : never }[keyof V & string];

/** A text field of a form by its name. */
export function TextField<V>({ form, name, label, hint, ...control }: TextFieldProps<V>) {
  const id = useId();
  const value: unknown = form.values[name];
  return (
    <FieldFrame id={id} label={label} error={form.errors[name]} hint={hint}>
      <TextControl
        {...control}
        id={id}
        name={name}
        value={typeof value === 'string' ? value : ''}
        error={form.errors[name]}
        onChange={(text) => form.set(name, text)}
      />
    </FieldFrame>
  );
}
