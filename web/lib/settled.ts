import { useEffect, useState } from 'react';

const PAUSE_MS = 400;

/** What is being changed, once there is a pause. */
export function useSettled<T>(value: T): T {
  const text = JSON.stringify(value);
  const [settled, settle] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => settle(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return JSON.parse(settled) as T;
}
