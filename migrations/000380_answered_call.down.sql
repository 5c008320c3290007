drop index call_resumes;
