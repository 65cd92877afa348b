/* SPDX-License-Identifier: MIT */
/* A program that is linked against the recorder and uses nothing of it. */
int main(void)
{
    return 0;
}
